import { lazyPreloadable, type Preloadable } from '#web/lazy-preloadable.tsx'
import { type PageName, pages } from '#web/pages.ts'
import { findPage } from './find-page.ts'
import { guideWanted } from './guide-store.ts'
import { AppLayout, FirstSteps } from './load-layout.ts'

export const pageComponents = Object.fromEntries(
  Object.entries(pages).map(([name, { load }]) => [name, lazyPreloadable(load)]),
) as Readonly<Record<PageName, Preloadable<object>>>

/**
 * Loads the code of a page and of its layout at the same time, before React renders them. A failure is not reported
 * here: React reports it when it renders the page.
 */
export async function loadPage(pathname: string): Promise<void> {
  const page = findPage(pathname)
  const onHero = page === 'hero'
  await Promise.allSettled([
    onHero ? null : AppLayout.load(),
    onHero || !guideWanted.get() ? null : FirstSteps.load(),
    pageComponents[page].load(),
  ])
}
