import { type ReactNode, useEffect, useRef } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import styles from './page.module.css'

/** Set once the first page has been shown: it leaves the focus where the browser puts it. */
let hasNavigated = false

type PageProps = { title: string; text?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page with its heading, which gets the focus after a navigation. */
export function Page({ title, text, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true })
    hasNavigated = true
    window.scrollTo(0, 0)
  }, [])
  return (
    <>
      <title>{consoleMessages.title(title)}</title>
      <div className={styles.head}>
        <div className={styles.titles}>
          <h1 className={styles.title} ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {text ? <p className={styles.text}>{text}</p> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      <div className={styles.content}>{children}</div>
    </>
  )
}
