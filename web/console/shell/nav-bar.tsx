import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import BookOpen from 'lucide-react/icons/book-open'
import Globe from 'lucide-react/icons/globe'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import List from 'lucide-react/icons/list'
import ScrollText from 'lucide-react/icons/scroll-text'
import Users from 'lucide-react/icons/users'
import { NavLink } from 'react-router'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { classNames } from '#web/ui/class-names.ts'
import { live } from '../api/live.ts'
import styles from './nav-bar.module.css'

type PageName = keyof typeof consoleMessages.pages

const ITEMS: readonly { name: PageName; to: string; Icon: LucideIcon }[] = [
  { name: 'today', to: '/', Icon: Activity },
  { name: 'withdrawals', to: '/withdrawals', Icon: ArrowUpFromLine },
  { name: 'deposits', to: '/deposits', Icon: ArrowDownToLine },
  { name: 'players', to: '/players', Icon: Users },
  { name: 'world', to: '/world', Icon: Globe },
  { name: 'books', to: '/books', Icon: BookOpen },
  { name: 'ledger', to: '/ledger', Icon: List },
  { name: 'log', to: '/log', Icon: ScrollText },
  { name: 'health', to: '/health', Icon: HeartPulse },
]

/** The pages. In a narrow window it opens below the top bar. */
export function NavBar({ open }: { open: boolean }) {
  const { review } = useStore(live)
  return (
    <nav
      id="pages"
      className={classNames(styles.nav, open && styles.open)}
      aria-label={consoleMessages.menuLabel}
    >
      <ul className={styles.list}>
        {ITEMS.map(({ name, to, Icon }) => (
          <li key={name}>
            <NavLink to={to} end={to === '/'} className={styles.item}>
              <Icon aria-hidden="true" />
              {consoleMessages.pages[name]}
              {name === 'withdrawals' && review > 0 ? (
                <span className={styles.count}>
                  <span aria-hidden="true">{consoleMessages.limitedCount(review)}</span>
                  <span className="vh">{consoleMessages.inReview(review)}</span>
                </span>
              ) : null}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
