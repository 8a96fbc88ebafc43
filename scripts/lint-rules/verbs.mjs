/** The words that a function's name may begin with. A new verb is added here; a noun is not. */
const verbs = `
  abandon abort accept acknowledge act activate adapt add adjust administer admit adopt advance align allocate allow
  analyse answer append apply approve archive ask assemble assert assign attach attempt authenticate authorize await begin
  bind blank block bootstrap bring build bump bundle calculate call cancel canonicalize capture catch change charge check
  choose claim clamp classify clean cleanse clear clone close collapse collect combine compare compile complete compose
  compress compute concat configure confine confirm connect consume contain continue convert copy correct count cover
  create cut deactivate debounce decide declare decline decode decompress decorate decrypt dedupe define delay delegate
  delete deliver derive describe destroy detach detect determine disable discard disconnect diagnose discover dismiss dispatch
  display dispose distribute divide do download drain drop duplicate edit embed emit enable encode encrypt end enforce
  enqueue enrich ensure enter enumerate erase escape establish estimate evaluate evict exchange exclude execute exit
  expand expect expire explain export extend extract fail fence fetch fill filter find finish fit flatten flush fold
  follow forbid forge forget format forward freeze fuse gather generate get give grant group grow guard guess handle hash hide
  identify ignore import include includes increase indent infer ingest inherit init initialize inject insert inspect install
  interpret interrupt intersect invalidate invite invoke issue join judge keep kill launch learn lease leave limit link
  list listen load locate lock log loosen lower maintain make map mark mask match measure memoize merge migrate mint mount move multiply
  narrow normalize note notify observe offer omit open pack pad parse pass patch pause pay perform persist pick plan play
  poll populate post prefill prepare prepend present preserve press preview print probe process produce prompt propose
  prove provide prune publish pull purge push put query queue quote raise rank reach read rebuild receive reclaim
  recognize recompute reconcile reconnect record recover redact redeem refine redirect reduce refer refill refresh refuse
  register rehearse reject relabel relate relay release reload remind remove rename render renew reopen repair repeat replace
  replay reply report request requeue require rescue resend reserve reset resolve respond restart restore restrict resume
  retain retire retrieve retry return reveal revert review revoke rewind rewrap rewrite roll rotate round route run sample
  sanitize save scan schedule score scroll seal search seed select send separate serialize serve set settle share shift
  shorten show shrink shuffle shut sign simplify skip slice sort spawn split spread stamp start stop store stream
  strengthen strip submit subscribe subtract suggest sum summarize supervise suspend swap sweep switch sync take test
  throttle throw tidy toggle tokenize touch trace track transfer transform translate trigger trim truncate try tune turn
  unassign undo unescape unfold uninstall unite unlink unlock unpack unquote unseal unsubscribe unwrap update upgrade upload upsert
  use validate verify visit wait wake walk warn watch weigh withdraw work wrap write zip`;
/** Questions with yes or no as the answer. */
const questions = 'is are has can may was does should needs';
/** Conversions (`toError`), wrappers (`withTransaction`) and handlers (`onSubmit`), as usual in the field. */
const prepositions = 'to with without on';

export const firstWords = new Set([verbs, questions, prepositions].flatMap((words) => words.trim().split(/\s+/)));
