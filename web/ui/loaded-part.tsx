import { type ComponentType, useEffect, useState } from 'react'

type LoadedPartProps<Props> = {
  /** The same function each time. */
  load: () => Promise<ComponentType<Props>>
  /** Null while the part is not wanted. */
  props: Props | null
}

/**
 * A part of the page whose code is loaded once it is wanted. Without a network it stays away, and the next page that loads in full
 * tries again. It is not a lazy component, because React delays the hydration of the page by up to 0.3 s for one that suspends
 * meanwhile.
 */
export function LoadedPart<Props extends object>({ load, props }: LoadedPartProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props>>()
  const isWanted = props !== null
  useEffect(() => {
    if (isWanted)
      load().then(
        (component) => setPart(() => component),
        () => {},
      )
  }, [isWanted, load])
  return props && Part ? <Part {...props} /> : null
}
