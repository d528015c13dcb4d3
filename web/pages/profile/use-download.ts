import { useState } from 'react'
import { download } from '#web/api/download.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { showToast } from '#web/ui/toast-store.ts'

/** Downloads a file and says so while it runs, or that it failed. */
export function useDownload() {
  const [busy, setBusy] = useState(false)
  const save = async (path: string, fileName: string): Promise<void> => {
    setBusy(true)
    await download(path, fileName).catch(() =>
      showToast({ kind: 'error', text: statementMessages.downloadFailed, durationMs: 6_000 }),
    )
    setBusy(false)
  }
  return { save, busy }
}
