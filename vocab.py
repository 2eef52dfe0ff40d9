import re,glob
def sub(p,*prs):
    s=open(p).read()
    for a,b in prs:
        if a not in s: print('MISSING',p,a[:60]); continue
        s=s.replace(a,b)
    open(p,'w').write(s)
def rx(p,*prs):
    s=open(p).read()
    for a,b in prs:
        n=re.sub(a,b,s)
        if n==s: print('NOMATCH',p,a[:60])
        s=n
    open(p,'w').write(s)
F=[f for d in ('runner','session','client','probes','arbitraries') for f in glob.glob(f'fixtures/{d}/**/*.ts',recursive=True)]+glob.glob('tests/*/*.ts')+['tests/self/unit/client/arbitraries.spec.ts']
F=[f for f in F if not re.search(r'preflight|run-identity|global-setup|examine-outage',f)]
W=[(r'\bcontrol twin\b','control request'),(r'\btwin\b','control'),(r'\btwins\b','controls'),
(r'\bloanLadder\b','boundaryLoans'),(r'\bamountLadder\b','boundaryAmounts'),(r"\['ladder',","['boundary loans',"),(r'\bladder\b','boundaryValues'),
(r'\bjourneys\b','loanParameters'),(r'\bjourney\b','parameters'),(r'\bseats\b','offerPositions'),
(r'\bdecoy\b','control'),
]
for f in F:
    s=o=open(f).read()
    for a,b in W:
        if b=='control' and 'decoy' in a and not re.search('request-mutations|combined-mutations|diagnose-rejection|field-mutations',f): continue
        if a==r'\btwin\b' and f.endswith('probes/probe.ts'): pass
        s=re.sub(a,b,s)
    if 'arbitraries/loans.ts' in f or f.endswith('flow.spec.ts'): s=re.sub(r'\bseat\b','position',s)
    if f.endswith('arbitraries/payment-links.ts'): s=re.sub(r'\bseat\b','position',s)
    if s!=o: open(f,'w').write(s)
sub('fixtures/session/session.ts',('const veil =','const secretRedactor ='),('veil.learn','secretRedactor.learn'),('redactor: veil','redactor: secretRedactor'),
 ('const shelves = new','const rejected = new'),('let shelf = shelves.get(operation);','let requests = rejected.get(operation);'),('if (shelf === undefined) shelves.set(operation, (shelf = []));','if (requests === undefined) rejected.set(operation, (requests = []));'),('return shelf;','return requests;'),
 ("/** The applications whose disbursement was taken on: only theirs has an outcome to tell. */","/** Applications with an accepted disbursement: only these have an outcome. */"),
 ("/** Facts that the answers of later scenarios are read with: the highest amount that the merchant list tells. */","/** Facts that later answers are evaluated with: the highest amount of a QR payment in the merchant list. */"),
 ("/** One worker's dealings with one target: what is shared by all scenarios, and nothing that a verdict hangs on. */","/**\n * State of one worker shared by all scenarios: connections, learnt data, budgets. It decides what is asked, never how an\n * answer is judged.\n */"),
 ("/** Waits until one more request of a scenario may be under way, the scenarios in turn; what comes ends its stay. */","/**\n   * Acquires one of IN_FLIGHT slots, round-robin over scenarios; returns the release function, or a promise of it when all\n   * are taken.\n   */"),
 ("/** Lets in at most `free` at once. One that asks for many at once does not hold up those that ask for one. */","/** A semaphore of `free` slots with a queue per scenario, served round-robin. */"),
 ("function places(free: number)","function roundRobinSlots(free: number)"),("acquireSlot: places(","acquireSlot: roundRobinSlots("))
sub('fixtures/session/finding-tracker.ts',('const suspects =','const findings ='),('suspects.get','findings.get'),('suspects.set','findings.set'),('[...suspects','[...findings'))
sub('fixtures/session/observation-log.ts',("/** Different values on one question that are told; a target may answer another one each time. */\nconst mostValues =","/** Further values of one question are dropped: a target may answer another one each time. */\nconst MAX_VALUES_PER_QUESTION ="),("values.size >= mostValues","values.size >= MAX_VALUES_PER_QUESTION"))
sub('fixtures/session/journal-writer.ts',("is told to `failed`, once,","is reported to `failed`, once,"),("its scenario was told in this run","its scenario ran in this run"))
sub('fixtures/session/evidence-sampling.ts',("const most = {","const MAX_KEPT = {"),("steps < most.steps","steps < MAX_KEPT.steps"),("most.lists","MAX_KEPT.lists"),("most.links","MAX_KEPT.links"))
sub('fixtures/session/scenario-run.ts',("const keptPerFinding =","const MAX_EVIDENCE_PER_FINDING ="),("times < keptPerFinding","times < MAX_EVIDENCE_PER_FINDING"),("const remembered =","const MAX_PENDING_EXCHANGES ="),("waiting.size > remembered","waiting.size > MAX_PENDING_EXCHANGES"))
sub('fixtures/session/property.ts',("const shrinkBudget =","const MAX_SHRINK_REQUESTS ="),(">= shrinkBudget",">= MAX_SHRINK_REQUESTS"),("const shrunkFindings =","const MAX_SHRUNK_FINDINGS ="),("(0, shrunkFindings)","(0, MAX_SHRUNK_FINDINGS)"))
sub('fixtures/client/atm-crawl.ts',("const patience =","const MAX_IDLE_BATCHES ="),("idle < patience","idle < MAX_IDLE_BATCHES"))
sub('fixtures/client/loans.ts',("const patience =","const MAX_OUTCOME_QUERIES ="),("asked < patience","asked < MAX_OUTCOME_QUERIES"))
sub('fixtures/client/created-resources.ts',("const shelfSize =","const MAX_REJECTED_REQUESTS ="),("shelf.length < shelfSize","shelf.length < MAX_REJECTED_REQUESTS"))
rx('fixtures/client/created-resources.ts',(r'\bshelf\b','rejected'))
sub('fixtures/client/payment-links.ts',("or null where the target tells none","or null where the target states none"),("/** What tells the links of this run from all others. */","/** Distinguishes the links of this run from all others. */"))
sub('fixtures/client/client.ts',("and what tells the question apart from others on it","and what distinguishes the question from others on it"))
sub('fixtures/client/describe-reply.ts',("/** The same, told as an answer to an open question. */","/** The same, worded as an answer to an open question. */"))
sub('fixtures/probes/diagnose-rejection.ts',("  told: { readonly clause","  finding: { readonly clause"),("    ...told,","    ...finding,"),("and nothing to tell.","and no data."))
sub('fixtures/probes/request-factory.ts',("const shelved =","const reuseRejected ="),("shelved('approveContract'","reuseRejected('approveContract'"),("shelved('disburse'","reuseRejected('disburse'"),("shelved('queryDisbursement'","reuseRejected('queryDisbursement'"),("/** What a request of this operation was refused with before: nothing was used up by that. */","/** Reuses the values of a request that was rejected before: the rejection consumed nothing. */"))
sub('fixtures/probes/probe.ts',("  told: {\n","  details: {\n"),("is left open, and told there. */","is observed under an open point. */"),("const howItIsRefused","const refusalPoints"),("howItIsRefused[","refusalPoints["),("export { summarizeReply as answered, isThrottled as asksToWait, describe };","export { describe };"))
sub('fixtures/probes/classify-finding.ts',(" * Findings are looked at once more, in designed conditions: the same request, fresh entities, alone and in a crowd, after a\n * pause. That says how a fault behaves; it never takes a finding back."," * Asks findings again under controlled conditions: the same request, fresh entities, sequentially and concurrently, after a\n * pause. That classifies how a fault behaves; it never withdraws a finding."),
 ("/** Findings of one area that are looked at; the rest are told by what was seen. */\nconst most =","/** Findings per area that are asked again; others stay unclassified. */\nconst MAX_FINDINGS ="),("slice(0, most)","slice(0, MAX_FINDINGS)"),
 ("const plenty =","const MIN_BROKEN_WITHOUT_EXCEPTION ="),("broken >= plenty","broken >= MIN_BROKEN_WITHOUT_EXCEPTION"),
 ("const alone =","const SEQUENTIAL_TRIES ="),("turn < alone","turn < SEQUENTIAL_TRIES"),
 ("const crowd =","const CONCURRENT_TRIES ="),("length: crowd","length: CONCURRENT_TRIES"),("among ${crowd} requests","among ${CONCURRENT_TRIES} requests"),
 ("/** A crowd brings it out only where it shows more than once in it. */\nconst inCrowd =","/** Concurrency causes it only where it shows more than once in a batch. */\nconst MIN_CONCURRENT_HITS ="),("seen >= inCrowd","seen >= MIN_CONCURRENT_HITS"),("const pauseMs =","const PAUSE_MS ="),("sleep(pauseMs)","sleep(PAUSE_MS)"))
rx('fixtures/probes/classify-finding.ts',(r'\bsuspect\b','finding'))
rx('tests/loans/flow.spec.ts',(r'\btold: null\b','outcome: null'),(r'\btold\b','outcome'),(r'taken, and outcome as','taken, and told as'),(r'cannot be outcome in a double','cannot be represented in a double'),(r'/\*\* What is outcome of both after a while.*\*/','/** The outcomes of both after a delay: until a disbursement is completed, both may read alike. */'),(r'\blater\b','OUTCOME_DELAYS_MS'))
rx('tests/loans/unknown-entities.spec.ts',(r'\btold by the query in other words\b','answered by the query with another outcome'),(r'\btold\b','outcome'),(r'\bstranger\b','unknownOutcome'),(r'const unknown =','const UNKNOWN_ID ='),(r"_id: unknown\b","_id: UNKNOWN_ID"),(r"', unknown,","', UNKNOWN_ID,"))
rx('tests/open-points/loans.spec.ts',(r'\btold\b','outcome'))
