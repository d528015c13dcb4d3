import { type RefObject, useEffect, useState } from 'react'

const callbacks = new WeakMap<Element, (inView: boolean) => void>()
let observer: IntersectionObserver | undefined

/** True while the element is in or near the viewport. All elements share one observer. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false)
  useEffect(() => {
    const target = element.current
    if (!target) return
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const entry of entries) callbacks.get(entry.target)?.(entry.isIntersecting)
      },
      { rootMargin: '200px' },
    )
    callbacks.set(target, setInView)
    observer.observe(target)
    return () => observer?.unobserve(target)
  }, [element])
  return inView
}
