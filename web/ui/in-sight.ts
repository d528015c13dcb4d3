import { type RefObject, useEffect, useState } from 'react'

const told = new WeakMap<Element, (inSight: boolean) => void>()
let observer: IntersectionObserver | undefined

/** True while the element is in the window, or nearly. One observer serves all that ask. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [inSight, setInSight] = useState(false)
  useEffect(() => {
    const target = element.current
    if (!target) return
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const entry of entries) told.get(entry.target)?.(entry.isIntersecting)
      },
      { rootMargin: '200px' },
    )
    told.set(target, setInSight)
    observer.observe(target)
    return () => observer?.unobserve(target)
  }, [element])
  return inSight
}
