import { useState } from 'react'

/**
 * The newest value, except while `frozen`: then the one from before. What a player has agreed to stays on the screen
 * until the answer, even if the change that it causes is published first.
 */
export function useFrozen<T>(value: T, frozen: boolean): T {
  const [stable, setStable] = useState(() => value)
  if (!frozen && !Object.is(stable, value)) setStable(() => value)
  return frozen ? stable : value
}
