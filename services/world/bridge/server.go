package bridge

import "github.com/coder/acp-go-sdk"

// Server is the world's MCP server, as an agent is told of it.
type Server struct {
	URL   string
	Token func() (string, error) // the agent's key, never the administrator's
	// Program is what speaks MCP over stdio, for agents that speak no HTTP, with its
	// arguments. It finds the key by itself.
	Program []string
}

// told is the server as an agent is told of it: with the key, over HTTP, where it
// speaks that.
func (s Server) told(http bool) (server acp.McpServer, token string, err error) {
	if !http {
		return acp.McpServer{Stdio: &acp.McpServerStdio{
			Name: "world", Command: s.Program[0], Args: append([]string{}, s.Program[1:]...), Env: []acp.EnvVariable{},
		}}, "", nil
	}
	if token, err = s.Token(); err != nil {
		return acp.McpServer{}, "", err
	}
	return acp.McpServer{Http: &acp.McpServerHttpInline{
		Type: "http", Name: "world", Url: s.URL, Headers: []acp.HttpHeader{{Name: "Authorization", Value: "Bearer " + token}},
	}}, token, nil
}
