import type { ComponentProps } from 'react'
import { Button as GameButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import styles from './button.module.css'

type ButtonKind = 'plain' | 'main' | 'danger' | 'quiet'

type ButtonProps = Omit<ComponentProps<typeof GameButton>, 'tone' | 'size'> & { kind?: ButtonKind }

/** The game's button without its relief: it behaves the same while it is busy or disabled. */
export function Button({ kind = 'plain', className, ...rest }: ButtonProps) {
  return (
    <GameButton
      {...rest}
      className={classNames(styles.button, kind !== 'plain' && styles[kind], className)}
    />
  )
}
