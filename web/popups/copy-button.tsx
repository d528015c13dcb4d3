import Copy from 'lucide-react/icons/copy'
import { showAlert } from './alerts.tsx'
import { profileMessages } from '#web/messages/en-profile.ts'
import { Button } from '#web/ui/button.tsx'

/** Copies the text and confirms it in an alert (S-25). */
export function CopyButton({
  text,
  label,
  iconOnly = false,
}: {
  text: string
  label: string
  iconOnly?: boolean
}) {
  const copy = async (): Promise<void> => {
    try {
      // Over plain http, browsers have no clipboard.
      await navigator.clipboard.writeText(text)
    } catch {
      return showAlert({ kind: 'error', text: profileMessages.copyFailed })
    }
    return showAlert({ kind: 'success', text: profileMessages.copied })
  }
  return (
    <Button
      size={iconOnly ? 'icon' : 'sm'}
      icon={<Copy aria-hidden="true" />}
      aria-label={label}
      onClick={() => void copy()}
    >
      {iconOnly ? null : profileMessages.copy}
    </Button>
  )
}
