import RefreshCw from 'lucide-react/icons/refresh-cw'
import warning from '#web/art/icons/warning.webp'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { connectionMessages } from '#web/messages/en-connection.ts'
import { messages } from '#web/messages/en.ts'
import { useConnectionProblem } from './use-connection-problem.ts'

/** Shown in place of data that could not be loaded, with a button to retry. It replaces the connection note. */
export function Unreachable({ title, text, retry }: { title: string; text?: string; retry: () => void }) {
  const isOffline = useConnectionProblem() === 'offline'
  return (
    <Frame data-outage="">
      <Empty
        alert
        picture={<img src={warning} width="128" height="128" alt="" />}
        title={title}
        text={isOffline ? connectionMessages.offlinePage : (text ?? messages.errors.unreachable)}
      >
        <RetryButton icon={<RefreshCw aria-hidden="true" />} onClick={retry} />
      </Empty>
    </Frame>
  )
}
