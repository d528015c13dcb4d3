import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationNames, MIGRATIONS } from '#server/platform/db/migrations.ts'
import { findContracting } from './find-contracting.ts'

test('migrations after the first take nothing away from the release before', () => {
  const [, ...later] = migrationNames()
  const found = later.map((name) => [name, findContracting(readFileSync(join(MIGRATIONS, name), 'utf8'))])
  expect(found.filter(([, what]) => what!.length > 0)).toEqual([])
})

test.for([
  'drop table guests',
  'alter table land drop column note',
  'alter table land drop note',
  'alter table land rename column wallet to owner',
  'alter table land rename to plots',
  "alter type move_kind rename value 'hire' to 'employ'",
  'alter table land alter column price_paid type numeric',
  'alter table land alter wallet set not null',
  'alter table land add column note text not null',
  'alter table land add note text not null, add b int',
  'alter table land add constraint land_paid check (price_paid > 0)',
  'alter table land add note text, add unique (wallet)',
  'create unique index land_once on land (wallet)',
  'create table guests (id int); create unique index if not exists once on land (wallet)',
  'revoke select on land from api',
  'delete from settings',
])('a migration that would break the release before is found: %s', (sql) => {
  expect(findContracting(sql)).not.toEqual([])
  expect(findContracting(`-- contract: unused since 0.2.0\n${sql}`)).toEqual([])
})

test.for([
  'create table guests (id int not null); grant select on guests to api',
  'alter table land add column note text',
  "alter table land add column note text not null default ''",
  'alter table land add column note int default 0 not null',
  "alter type move_kind add value 'gift'",
  'create index land_by_note on land (note)',
  'create table guests (id int); create unique index guests_once on guests (id)',
  'create table guests (id int); alter table guests add constraint guests_id check (id > 0)',
  'alter table land add column check_in text unique',
  'revoke all on function f() from public',
  "-- drop table land\ninsert into settings (name) values ('drop table land')",
])('a migration that only adds is accepted: %s', (sql) => {
  expect(findContracting(sql)).toEqual([])
})
