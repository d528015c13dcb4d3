import * as z from 'zod/mini'

export const FORMAT_VERSION = 1

/** The first part of a backup, and the last two. The rest lies between them. */
export const HEAD_PART = 'format.json'
export const MANIFEST_PART = 'manifest.json'
/** The SHA-256 of the manifest, in hex. */
export const DIGEST_PART = 'manifest.sha256'

/** Read before anything else, so that a newer format is named as such. */
export const Head = z.object({ format: z.literal('cotton-farm-backup'), version: z.int() })

const World = z.object({ genesisHash: z.string(), mint: z.string(), treasury: z.string() })

const Part = z.object({ name: z.string(), size: z.int(), sha256: z.string() })

const Table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })

/** What a backup contains. It follows all other parts, so a backup without it is incomplete. */
export const Manifest = z.extend(Head, {
  /** The version of the program that made it. */
  release: z.string(),
  /** Everything that was committed before this moment is in it. */
  moment: z.iso.datetime(),
  /** The chain, token and treasury that the ledger belongs to; null before the first start of a signer. */
  world: z.nullable(World),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In the order of their parts: a table follows those that its foreign keys refer to. */
  tables: z.array(Table),
  parts: z.array(Part),
})

export type Manifest = z.infer<typeof Manifest>
export type World = z.infer<typeof World>
export type Part = z.infer<typeof Part>
export type Table = z.infer<typeof Table>

/** The files of the data folder that a backup contains if they exist. The seed and the passphrases are not among them. */
export const BACKED_UP_FILES = ['chain.sqlite', 'signed/payouts.log', 'world.json', 'terms.md'] as const

export const filePart = (name: string): string => `files/${name}`

const TABLE_PART = /^tables\/([a-z0-9_]+)\/\d{6}\.copy$/

export const tablePart = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.copy`

/** The table of a part; undefined for other parts. */
export const tableOfPart = (name: string): string | undefined => TABLE_PART.exec(name)?.[1]
