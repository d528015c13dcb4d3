import { useSite } from '#web/api/use-site.ts'
import rocket from '#web/art/icons/rocket.webp'
import { XLogo } from '#web/art/x-logo.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { messages } from '#web/messages/en.ts'

type SocialLinksProps = { tone: 'paper' | 'wood'; onFollow?: () => void }

/** The operator's X account and token page (S-10). */
export function SocialLinks({ tone, onFollow }: SocialLinksProps) {
  const { xUrl = null, tokenUrl = null } = useSite() ?? {}
  const linkClass = buttonClass({ tone, size: 'icon' })
  return (
    <>
      {xUrl ? (
        <a
          className={linkClass}
          href={xUrl}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={messages.menu.x}
          onClick={onFollow}
        >
          <XLogo />
        </a>
      ) : null}
      {tokenUrl ? (
        <a
          className={linkClass}
          href={tokenUrl}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={messages.menu.token}
          onClick={onFollow}
        >
          <img src={rocket} width="26" height="26" alt="" />
        </a>
      ) : null}
    </>
  )
}
