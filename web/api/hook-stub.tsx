import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'

/** The result of a hook in a page that is rendered once, without a browser. */
export function renderHook<Result>(useIt: () => Result, client = new QueryClient()): Result {
  const results: Result[] = []
  const Page = () => {
    results.push(useIt())
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  return results[0]!
}
