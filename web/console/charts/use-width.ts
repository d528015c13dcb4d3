import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in pixels, and the reference that it needs. */
export function useWidth<E extends Element>(initial: number): { ref: RefObject<E | null>; width: number } {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(initial)
  useLayoutEffect(() => (ref.current ? watchWidth(ref.current, setWidth) : undefined), [])
  return { ref, width }
}

/**
 * Reports the width of an element in pixels: at once, before its first frame is shown, and whenever it changes. Returns a
 * function that stops.
 */
export function watchWidth(element: Element, onWidth: (width: number) => void): () => void {
  const report = ({ width }: { width: number }): void => {
    if (width > 0) onWidth(Math.round(width))
  }
  report(element.getBoundingClientRect())
  const observer = new ResizeObserver(([entry]) => {
    if (entry) report(entry.contentRect)
  })
  observer.observe(element)
  return () => observer.disconnect()
}
