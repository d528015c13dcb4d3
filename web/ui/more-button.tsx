import { type ComponentProps, useRef } from 'react'
import { Button } from './button.tsx'
import { useFocusNewRow } from './use-focus-new-row.ts'

type MoreButtonProps = Omit<ComponentProps<typeof Button>, 'ref'> & {
  /** Selects the rows of the section around the button. */
  rows: string
}

/** A button that shows more rows. When it disappears with the last of them, the first new row takes over its focus. */
export function MoreButton({ rows, ...rest }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusNewRow(button, rows)
  return <Button {...rest} ref={button} />
}
