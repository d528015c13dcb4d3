import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './note.module.css'

type NoteProps = ComponentProps<'div'> & { tone?: 'plain' | 'bad' | 'info' | 'ok'; picture?: string }

export function Note({ tone = 'plain', picture, className, children, ...rest }: NoteProps) {
  return (
    <div {...rest} className={classNames(styles.note, tone !== 'plain' && styles[tone], className)}>
      {picture ? <img src={picture} width="28" height="28" alt="" /> : null}
      <div>{children}</div>
    </div>
  )
}
