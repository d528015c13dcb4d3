import * as account from './account.ts'
import * as chain from './chain.ts'
import * as deposits from './deposits.ts'
import * as history from './history.ts'
import * as market from './market.ts'
import * as milestones from './milestones.ts'
import * as parcels from './parcels.ts'
import type { Route } from './route.ts'
import * as sessions from './sessions.ts'
import * as site from './site.ts'
import * as transparency from './transparency.ts'
import * as withdrawalLock from './withdrawal-lock.ts'
import * as withdrawals from './withdrawals.ts'
import * as workers from './workers.ts'

type RoutesOf<Module> = {
  readonly [Name in keyof Module as Module[Name] extends Route ? Name : never]: Module[Name]
}

/** The routes among the exports of a module. Its other exports are schemas and constants. */
function routesOf<Module extends object>(module: Module): RoutesOf<Module>
function routesOf(module: object): object {
  return Object.fromEntries(Object.entries(module).filter(([, value]) => isRoute(value)))
}

const isRoute = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'path' in value && 'rateClass' in value

/**
 * Every route by name: each export of these modules that `get` or `post` declares. The server must serve each of them.
 * OpenAPI and the authorization tests are generated from it.
 */
export const ROUTES = {
  ...routesOf(account),
  ...routesOf(sessions),
  ...routesOf(history),
  ...routesOf(deposits),
  ...routesOf(chain),
  ...routesOf(withdrawals),
  ...routesOf(withdrawalLock),
  ...routesOf(workers),
  ...routesOf(parcels),
  ...routesOf(market),
  ...routesOf(milestones),
  ...routesOf(site),
  ...routesOf(transparency),
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof ROUTES
