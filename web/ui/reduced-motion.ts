/** Whether the player prefers reduced motion, in the system or in the game's settings. Animations that a script starts must ask; those of style sheets need not. */
export const prefersReducedMotion = (): boolean =>
  document.documentElement.dataset.motion === 'reduced' ||
  window.matchMedia('(prefers-reduced-motion: reduce)').matches
