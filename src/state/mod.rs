//! `requestState`: key ring, claims, token, sealer (S1-S15).
