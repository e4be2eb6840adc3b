// What a page does that is an MCP client itself. Each function runs in a
// browser, under its rules for calling other origins, and knows nothing of this
// file.

/** Finds out how to be let in and registers: {id, to}, to where the person goes. */
export async function askForAccess({ url, redirect, challenge }) {
  const headers = { 'Content-Type': 'application/json' };
  const refused = await fetch(url, { method: 'POST', body: '{}', headers });
  const [, metadata] = /resource_metadata="([^"]*)"/.exec(refused.headers.get('WWW-Authenticate'));
  const { authorization_servers: [issuer] } = await (await fetch(metadata)).json();
  const described = await fetch(`${issuer}/.well-known/oauth-authorization-server`, {
    headers: { 'MCP-Protocol-Version': '2026-07-28' },
  });
  const at = await described.json();
  const body = JSON.stringify({ redirect_uris: [redirect] });
  const registered = await fetch(at.registration_endpoint, { method: 'POST', body, headers });
  const { client_id: id } = await registered.json();
  const query = new URLSearchParams({
    client_id: id, response_type: 'code', redirect_uri: redirect, code_challenge_method: 'S256', code_challenge: challenge,
  });
  return { id, to: `${at.authorization_endpoint}?${query}` };
}

/** Redeems a code, lists the tools and calls one: the two replies. */
export async function useAccess({ url, redirect, verifier, code, id }) {
  const form = new URLSearchParams({
    grant_type: 'authorization_code', code, client_id: id, redirect_uri: redirect, code_verifier: verifier,
  });
  const redeemed = await fetch(new URL('/token', url), { method: 'POST', body: form });
  const { access_token: token } = await redeemed.json();
  const headers = {
    'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}`,
  };
  const ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
    return (await fetch(url, { method: 'POST', body, headers })).json();
  };
  const clientInfo = { name: 'page', version: '1' };
  const { result } = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  headers['MCP-Protocol-Version'] = result.protocolVersion;
  return [await ask('tools/list', {}), await ask('tools/call', { name: 'get_my_party', arguments: {} })];
}
