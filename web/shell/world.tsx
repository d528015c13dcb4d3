import { useLayoutEffect } from 'react'

/** Dims the landscape behind every page but the hero. The landscape itself stands in the HTML, before any script. */
export function World({ dim }: { dim: boolean }) {
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-inside', dim)
  }, [dim])
  return null
}
