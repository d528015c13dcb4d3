-- The facts of milestones: each parcel that a player sold, however often. Without it every sale of the player is read.
create index listings_sold_parcels on listings (seller, parcel_id) where state = 'sold';
