/** Whether the player prefers reduced motion. Animations that a script starts must ask; those of style sheets need not. */
export const prefersReducedMotion = (): boolean =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches
