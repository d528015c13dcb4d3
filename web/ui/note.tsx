import type { ComponentProps, ReactElement } from 'react'
import { classNames } from './class-names.ts'
import styles from './note.module.css'

type NoteProps = ComponentProps<'div'> & {
  tone?: 'plain' | 'bad' | 'info' | 'ok'
  picture?: string
  /** Shown instead of a picture where images may be unavailable. */
  icon?: ReactElement
}

export function Note({ tone = 'plain', picture, icon, className, children, ...rest }: NoteProps) {
  return (
    <div {...rest} className={classNames(styles.note, tone !== 'plain' && styles[tone], className)}>
      {picture ? <img src={picture} width="28" height="28" alt="" /> : icon}
      <div>{children}</div>
    </div>
  )
}
