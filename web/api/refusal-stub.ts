import { vi } from 'vitest'

/** A game that refuses every call. Returns the addresses that are called from now on. */
export function refuseCalls(
  code: string,
  { status, message }: { status: number; message: string },
): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(url)
    return Promise.resolve(Response.json({ success: false, code, message }, { status }))
  })
  return calls
}
