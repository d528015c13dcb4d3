import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { messages } from '#web/messages/en.ts'
import { Button } from './button.tsx'
import { focusIfLost } from './focus-if-lost.ts'

type RetryButtonProps = Omit<ComponentProps<typeof Button>, 'ref' | 'children'>

/**
 * A button that reads again what could not be read. It disappears meanwhile or afterwards; then the title of its panel,
 * or else the main part, takes over its focus.
 */
export function RetryButton(props: RetryButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    const title = element?.closest('section')?.querySelector('h2[tabindex]')
    return () => {
      if (document.activeElement !== element) return
      // It is removed after this.
      queueMicrotask(() => focusIfLost(title))
    }
  }, [])
  return (
    <Button {...props} ref={button}>
      {messages.tryAgain}
    </Button>
  )
}
