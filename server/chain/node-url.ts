import { decodePercent } from '#server/platform/decode-percent.ts'

/**
 * The URL of a node for `fetch`, which refuses one with a user name and a password, and repeats it in its error. They become a
 * header (RFC 7617, basic authentication).
 */
export function splitCredentials(nodeUrl: string): { url: string; headers?: { authorization: string } } {
  const url = new URL(nodeUrl)
  const { username, password } = url
  if (username === '' && password === '') return { url: nodeUrl }
  url.username = ''
  url.password = ''
  const pair = `${decodePercent(username)}:${decodePercent(password)}`
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
