import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.ts'

export type HttpAnswer = { status: number; type: string; text: string }

type Sending = { url: string; agent: Agent; limitMs: number }

/**
 * Sends a request. Rejects if no whole response arrives in this time. A server may close a connection at the moment when
 * it is used again; then the request is sent once more, on a connection of its own.
 */
export async function sendRequest(request: FuzzRequest, sending: Sending): Promise<HttpAnswer> {
  const first = await sendOnce(request, sending).catch((error: unknown) => {
    if (error instanceof ReusedConnection) return null
    throw error
  })
  return first ?? sendOnce(request, { ...sending, agent: new Agent() })
}

class ReusedConnection extends Error {}

function sendOnce(
  { method, path, headers, body }: FuzzRequest,
  { url, agent, limitMs }: Sending,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(url)
  const fields: Record<string, string[]> = {}
  for (const [name, value] of headers) (fields[name] ??= []).push(value)
  // Node sends one host only.
  const single = Object.entries(fields).map(([name, values]) => [
    name,
    values.length > 1 && name !== 'host' ? values : values[0]!,
  ])
  const bytes = body === null ? undefined : Buffer.from(body, 'latin1')
  const length = bytes && { 'content-length': String(bytes.length) }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(limitMs)
    const call = request(
      { hostname, port, method, path, headers: { ...length, ...Object.fromEntries(single) }, agent, signal },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type'] ?? ''),
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    call.on('error', (error) => reject(call.reusedSocket && !signal.aborted ? new ReusedConnection() : error))
    // Another protocol is never agreed on.
    call.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the connection was upgraded'))
    })
    call.end(bytes)
  })
}
