import { Client } from 'pg'
import { readGrants } from './grants.ts'

/**
 * The whole schema as SQL text: types, tables, constraints, indexes, functions, triggers, views and grants, each sorted
 * by name, so that the text changes only with the schema. It is read from the catalog of Postgres, because pg_dump is
 * not available from npm and must be at least as new as the server.
 */
export async function dumpSchema(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Only names of other schemas are qualified then.
    await client.query(`set search_path = public`)
    const parts: string[] = []
    for (const section of sections) {
      const { rows } = await client.query<{ line: string }>(section)
      const lines = rows.map(({ line }) => line)
      if (lines.length > 0) parts.push(lines.join('\n').trimEnd())
    }
    parts.push((await readGrants(client)).join('\n'))
    return `-- Dumped from a migrated database by scripts/dump-schema.mjs; never edited.\n\n${parts.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

const inPublic = `'public'::regnamespace`

const types = `
  select format(E'create type %I as enum (\\n  %s\\n);', typname,
      string_agg(quote_literal(enumlabel), E',\\n  ' order by enumsortorder)) as line
  from pg_type join pg_enum on enumtypid = pg_type.oid
  where typnamespace = ${inPublic}
  group by typname order by typname`

const tables = `
  select format(E'create table %I (\\n%s\\n)%s%s;\\n', relname,
      string_agg(format('  %I %s%s%s', attname, format_type(atttypid, atttypmod),
        case when attnotnull then ' not null' else '' end,
        case when attidentity <> '' then ' generated always as identity'
          when attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
          when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid) else '' end),
        E',\\n' order by attnum),
      coalesce(' partition by ' || pg_get_partkeydef(c.oid), ''),
      coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')) as line
  from pg_class c
  join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = c.oid and adnum = attnum
  where relnamespace = ${inPublic} and relkind in ('r', 'p') and not relispartition
  group by c.oid, relname, reloptions order by relname`

// Not-null constraints are part of their columns.
const constraints = `
  select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
  from pg_constraint
  where connamespace = ${inPublic} and conrelid <> 0 and contype <> 'n' and conparentid = 0
  order by conrelid::regclass::text collate "C", contype, conname`

const indexes = `
  select pg_get_indexdef(indexrelid) || ';' as line
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = ${inPublic} and not exists (select from pg_constraint where conindid = indexrelid)
  order by relname`

const functions = `
  select rtrim(pg_get_functiondef(oid), E'\\n ') || E';\\n' as line
  from pg_proc where pronamespace = ${inPublic} and prokind in ('f', 'p') order by proname, oid::regprocedure::text`

const triggers = `
  select pg_get_triggerdef(pg_trigger.oid) || ';' as line
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where relnamespace = ${inPublic} and not tgisinternal and tgparentid = 0 order by relname, tgname`

const views = `
  select format(E'create view %I as\\n%s', relname, pg_get_viewdef(oid)) as line
  from pg_class where relnamespace = ${inPublic} and relkind in ('v', 'm') order by relname`

const sections = [types, tables, constraints, indexes, functions, triggers, views]
