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
  const copy = (): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => showAlert({ kind: 'success', text: profileMessages.copied }))
      .catch(() => showAlert({ kind: 'error', text: profileMessages.copyFailed }))
  }
  return (
    <Button
      size={iconOnly ? 'icon' : 'sm'}
      icon={<Copy aria-hidden="true" />}
      aria-label={label}
      onClick={copy}
    >
      {iconOnly ? null : profileMessages.copy}
    </Button>
  )
}
