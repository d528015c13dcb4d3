-- What an operator has added to balances within 24 hours, which is limited.
create index operator_acts_adjusted on operator_acts (operator, done_at) where kind = 'adjust' and state = 'done';
