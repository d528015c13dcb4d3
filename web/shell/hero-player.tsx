import { QueryClientProvider } from '@tanstack/react-query'
import { Link } from 'react-router'
import { cotton, formatCotton, ZERO } from '#game/cotton.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useReady } from '#web/api/use-ready.ts'
import tractor from '#web/art/icons/tractor.webp'
import { formatShort } from '#web/messages/amount.ts'
import { awayMessages } from '#web/messages/en-away.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { FrozenPlace } from './frozen-place.tsx'
import styles from './hero-player.module.css'
import { ReturningPlayer } from './returning-player.tsx'

/** What the first page has for players: the way to their farm, and what happened while they were away. */
export function HeroPlayer() {
  return (
    <QueryClientProvider client={queryClient}>
      <FarmButton />
      <HeroFreeze />
      <ReturningPlayer />
    </QueryClientProvider>
  )
}

/** The first page reads the balance only to learn whether the wallet is frozen. */
function HeroFreeze() {
  useBalance()
  return <FrozenPlace className={styles.freeze} />
}

/** Longer amounts do not fit beside the other button. */
const LONGEST = cotton(10_000_000)

function FarmButton() {
  const ready = useReady() ?? ZERO
  return (
    <Link className={buttonClass({ tone: 'sun', size: 'lg' })} to={paths.myFarm}>
      <img src={tractor} width="36" height="36" alt="" />
      <span>
        {ready > 0n
          ? awayMessages.farmReady(ready < LONGEST ? formatCotton(ready) : formatShort(ready, 2))
          : awayMessages.farm}
      </span>
    </Link>
  )
}
