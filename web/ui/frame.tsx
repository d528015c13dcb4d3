import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './frame.module.css'

export type RibbonTone = 'default' | 'info' | 'neutral' | 'attention'

export function ribbonClass(tone: RibbonTone = 'default', extra?: string): string {
  return classNames(styles.ribbon, tone !== 'default' && styles[tone], extra)
}

/** The classes of a frame, for links and buttons with the same appearance. */
export function frameClass({ small }: { small: boolean }, extra?: string): string {
  return classNames(styles.frame, small && styles.small, extra)
}

type FrameProps = ComponentProps<'section'> & { small?: boolean }

/** A section in a wooden frame. */
export function Frame({ small = false, className, ...rest }: FrameProps) {
  return <section {...rest} className={frameClass({ small }, className)} />
}

type PanelProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: string
  tone?: RibbonTone
  children: ReactNode
}

/** A frame with its title on a ribbon across the top edge. */
export function Panel({ title, tone, id, children, ...rest }: PanelProps) {
  const titleId = `${id ?? title.toLowerCase().replaceAll(' ', '-')}-title`
  return (
    <Frame {...rest} id={id} aria-labelledby={titleId}>
      <h2 className={ribbonClass(tone, styles.top)} id={titleId} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </Frame>
  )
}

export const frameBody = styles.body
