// Well-formed requests to the listeners that speak HTTP.

/** Which listener the bytes are for. Each knows other requests. */
export type Listener = 'game' | 'console' | 'chain'

export const HOST = 'Host: 127.0.0.1\r\n'
export const JSON_TYPE = 'Content-Type: application/json\r\n'

type Known = { method: string; status: number; text: string }

const get = (path: string, status: number, method = 'GET'): Known => ({
  method,
  status,
  text: `${method} ${path} HTTP/1.1\r\n${HOST}\r\n`,
})

const post = (path: string, status: number, body: string): Known => ({
  method: 'POST',
  status,
  text: `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
})

const postInChunks = (path: string, status: number, body: string): Known => {
  const chunks = [...body].map((byte) => `1;a=b\r\n${byte}\r\n`).join('')
  const fields = `${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n`
  return {
    method: 'POST',
    status,
    text: `POST ${path} HTTP/1.1\r\n${fields}\r\n${chunks}0\r\nX-Last: a\r\n\r\n`,
  }
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}'

/** Well-formed requests, and with what each is answered. */
export const KNOWN: Readonly<Record<Listener, readonly Known[]>> = {
  game: [
    get('/api/continent-stats', 200),
    get('/api/continent-stats', 200, 'HEAD'),
    get('/api/nothing', 404),
    get('/api/parcels/%zz', 400),
    post('/api/users/nonce', 400, '{}'),
    postInChunks('/api/users/nonce', 400, '{}'),
  ],
  console: [
    get('/', 200),
    get('/', 200, 'HEAD'),
    get('/api/console/nothing', 404),
    post('/api/console/nonce', 400, '{}'),
    postInChunks('/api/console/nonce', 400, '{}'),
  ],
  chain: [
    get('/health', 200),
    get('/nothing', 405),
    get('/health', 405, 'HEAD'),
    get('/', 204, 'OPTIONS'),
    post('/', 200, PING),
    postInChunks('/', 200, PING),
  ],
}

/** The request that somebody else makes after each case. */
export const honestRequest = (listener: Listener): { method: string; path: string; body: string } =>
  listener === 'chain'
    ? { method: 'POST', path: '/', body: PING }
    : { method: 'GET', path: listener === 'game' ? '/api/continent-stats' : '/', body: '' }
