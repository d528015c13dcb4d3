import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { consoleMessages } from '#web/messages/en-console.ts'
import styles from './page.module.css'

/** The key of the location that the browser opened. That page leaves the focus where the browser puts it. */
const FIRST_LOCATION = 'default'

type PageProps = { title: string; text?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page with its heading, which gets the focus after a navigation. */
export function Page({ title, text, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  // As it was opened: a filter changes the location, too.
  const [hasNavigated] = useState(key !== FIRST_LOCATION)
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [hasNavigated])
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
