import { beginInTime } from './begin-in-time.ts'
import { TIMEOUT_MS } from './call.ts'
import { saveFile } from './save-file.ts'
import { endSession, session } from './session.ts'

/**
 * Saves a CSV route as a file. The token travels in a header and not in the address, which histories and logs keep. The
 * browser collects the file outside of the page's memory, and fails if the connection breaks before its end. The answer
 * has to begin in time; all of it may take longer.
 */
export async function download(path: string, fileName: string): Promise<void> {
  const { token } = session.get()
  const headers = { 'x-auth-token': token ?? '' }
  const response = await beginInTime(TIMEOUT_MS, (signal) =>
    fetch(path, { headers, credentials: 'same-origin', signal }),
  )
  if (response.status === 401 && session.get().token === token) endSession('expired')
  if (!response.ok) throw new Error(`The download was refused: ${response.status}`)
  saveFile(await response.blob(), fileName)
}
