-- contract: unused since 0.1.0
-- An adjustment, a funding and a change of a market have the same effect again each time, so a signed one says which one it is
-- of its wallet, of the pool or of its market. One that was withheld is refused once another has its number.
alter table operator_acts add column number integer check (number > 0);
create unique index operator_acts_number on operator_acts
  (kind, coalesce(details ->> 'wallet', details ->> 'continent', ''), number) where state = 'done' and number is not null;
create or replace function decided_acts_are_final() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' or (new.nonce, new.kind, new.withdrawal_id, new.details, new.operator, new.signature,
      new.signed_form, new.at, new.expires_at, new.number) is distinct from (old.nonce, old.kind, old.withdrawal_id, old.details,
      old.operator, old.signature, old.signed_form, old.at, old.expires_at, old.number) then
    raise exception 'an act of an operator is decided once and never changes';
  end if;
  return new;
end
$$;
-- Only the signer decides: the console inserts acts that wait, and none that is done.
revoke insert on operator_acts from console;
grant insert (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, number)
  on operator_acts to console;
