package access

import (
	"os"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// TestMain reads along for secrets in what the tests print.
func TestMain(m *testing.M) { os.Exit(leak.Main(m)) }
