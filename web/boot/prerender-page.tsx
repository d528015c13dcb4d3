import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'

/** The HTML of a page without any data: for an unknown visitor. Only the build uses it. */
export async function prerenderPage(path: string): Promise<string> {
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  const errors: unknown[] = []
  const { prelude } = await prerender(<App Router={Router} />, {
    // Keep the HTML in one chunk: the content policy forbids the inline scripts that would assemble several.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  })
  const html = await new Response(prelude).text()
  if (errors.length > 0) throw new Error(`${path} cannot be prerendered.`, { cause: errors[0] })
  return html
}
