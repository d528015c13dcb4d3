import { useLayoutEffect } from 'react'

/** Dims the landscape behind every page but the hero. The landscape itself stands in the HTML, before any script. */
export function LandscapeDimmer({ dim }: { dim: boolean }) {
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-dimmed', dim)
  }, [dim])
  return null
}
