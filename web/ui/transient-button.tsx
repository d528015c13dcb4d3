import { type ComponentProps, useRef } from 'react'
import { Button } from './button.tsx'
import { useFocusFallback } from './use-focus-fallback.ts'

type TransientButtonProps = Omit<ComponentProps<typeof Button>, 'ref'> & {
  /** The id of the element that takes over the focus. */
  focusAfter: string
}

/** A button that may disappear while it has the focus, mostly because it was pressed. */
export function TransientButton({ focusAfter, ...rest }: TransientButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusFallback(button, focusAfter)
  return <Button {...rest} ref={button} />
}
