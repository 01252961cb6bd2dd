// Preloaded into the conformance suite, which cannot send headers of its own: adds the token of the
// server under test to every request, so that the server needs no mode without one. The suite
// sends with fetch, with undici and with node:http.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'

const { getGlobalDispatcher, setGlobalDispatcher } = createRequire(process.argv[1])('undici')
const authorization = `Bearer ${readFileSync(process.env.DESKHAND_MCP_TOKEN_FILE, 'utf8').trim()}`

function withToken(headers) {
  return Array.isArray(headers)
    ? [...headers, 'authorization', authorization]
    : { ...headers, authorization }
}

setGlobalDispatcher(
  getGlobalDispatcher().compose(dispatch => (options, handler) =>
    dispatch({ ...options, headers: withToken(options.headers) }, handler)
  )
)

const request = http.request
http.request = (options, ...rest) =>
  request({ ...options, headers: withToken(options.headers) }, ...rest)
