import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'

/** The HTML of a page as somebody sees it of whom, and of the world, nothing is known. For the build only. */
export async function prerenderPage(path: string): Promise<string> {
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  const errors: unknown[] = []
  const { prelude } = await prerender(<App Router={Router} />, {
    // In one piece: scripts that put pieces in their places are forbidden in the HTML.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  })
  const html = await new Response(prelude).text()
  if (errors.length > 0) throw new Error(`${path} cannot be drawn.`, { cause: errors[0] })
  return html
}
