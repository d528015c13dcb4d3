import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { assert } from '#server/platform/assert.ts'

export type Headers = Readonly<Record<string, string>>

/**
 * What protects a browser, for the pages and files of the game and for data. It is helmet's, asked once: the same for
 * every call, and worked out anew it is a tenth of one.
 */
export async function securityHeaders({
  publicUrl,
}: {
  publicUrl: string
}): Promise<{ pageHeaders: Headers; dataHeaders: Headers }> {
  const secure = publicUrl.startsWith('https:')
  const strictTransportSecurity = secure && { maxAge: 31_536_000, includeSubDomains: false }
  const pageHeaders = await headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    strictTransportSecurity,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  // JSON opens, links and runs nothing: it must stay JSON, unframed, and within this site.
  const dataHeaders = await headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    strictTransportSecurity,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  return { pageHeaders, dataHeaders }
}

const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  mediaSrc: ["'self'"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  objectSrc: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
}

const DATA_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }

async function headersOf(options: Parameters<typeof helmet>[1]): Promise<Headers> {
  const app = Fastify()
  await app.register(helmet, options)
  let headers: Headers = {}
  app.get('/', async (_request, reply) => {
    headers = { ...reply.raw.getHeaders() } as Headers
    return ''
  })
  await app.inject('/')
  await app.close()
  assert(headers['content-security-policy'], 'helmet has its say')
  return headers
}
