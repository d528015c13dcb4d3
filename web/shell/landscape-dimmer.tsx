import { useLayoutEffect } from 'react'

/** Dims the landscape behind every page except the hero. The landscape itself is part of the HTML. */
export function LandscapeDimmer({ dim }: { dim: boolean }) {
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-dimmed', dim)
  }, [dim])
  return null
}
