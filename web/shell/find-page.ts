import { matchPath, useLocation } from 'react-router'
import { type PageName, pages } from '#web/pages.ts'

const NAMES = Object.keys(pages) as PageName[]

/** The page at this address. The last row of the table matches every address. */
export const findPage = (pathname: string): PageName =>
  NAMES.find((name) => matchPath(pages[name].path, pathname)) ?? 'notFound'

export const useCurrentPage = (): PageName => findPage(useLocation().pathname)
