import { Link } from 'react-router'
import type { readToday } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './today.module.css'

type Problem = ConsoleReply<typeof readToday>['problems'][number]

const text = pageMessages.today

const pathOf = (page: Problem['page']): string => (page === 'today' ? '/' : `/${page}`)

/** What is wrong, the worst first, each with the page where it can be worked on. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return <p className={styles.fine}>{text.fine}</p>
  return (
    <ul>
      {problems.map(({ name, severity, summary, page }) => (
        <li key={`${name} ${summary}`} className={classNames(styles.problem, styles[severity])}>
          <div className={styles.what}>
            <p className={styles.name}>
              <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>{text.severities[severity]}</Badge>
              <span className="mono">{name}</span>
            </p>
            <p>{summary}</p>
          </div>
          {page === 'today' ? null : (
            <Link className={styles.link} to={pathOf(page)}>
              {text.open(consoleMessages.pages[page])}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
