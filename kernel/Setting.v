(** The setting of the paper: integrable random variables, square-integrable random vectors, conditional expectations.

    It is a class: what it asks for is an assumption of each theorem, and no axiom is declared.  [Model.v] shows that every
    finite probability space with a filtration and every dimension satisfies it. *)
Require Export ZArith List Bool.
Require Export HeavyBall.Signs.
Export ListNotations.

(** Fields: [Trivial] knows nothing, [At j] is F_j, what the samples S_0, ..., S_j tell, [All] knows everything. *)
Inductive fld := Trivial | At (j : Z) | All.
Definition fle (i j : fld) : bool :=
  match i, j with
  | Trivial, _ => true
  | _, All => true
  | At a, At b => Z.leb a b
  | _, _ => false
  end.

(** F_{k-1}: what is known before the sample S_k. *)
Definition before (k : nat) : fld := At (Z.of_nat k - 1).

Class Setting := {
  M : Type;                        (* L^1: integrable random variables *)
  V : Type;                        (* L^2: square-integrable random vectors *)
  event : Type;
  on : event -> M -> R;            (* on A X = E[X 1_A];  X <= Y almost surely means: on every event *)
  madd : M -> M -> M;
  mscal : R -> M -> M;
  one : M;
  vadd : V -> V -> V;
  vscal : R -> V -> V;
  inner : V -> V -> M;
  E : fld -> M -> M;               (* E[. | F] *)
  known : fld -> V -> Prop;        (* measurable *)
  (* random variables and vectors *)
  on_add : forall A X Y, on A (madd X Y) = on A X + on A Y;
  on_scal : forall A c X, on A (mscal c X) = c * on A X;
  one_pos : forall A, 0 <= on A one;
  inner_add : forall u v w A, on A (inner (vadd u v) w) = on A (inner u w) + on A (inner v w);
  inner_scal : forall c u w A, on A (inner (vscal c u) w) = c * on A (inner u w);
  inner_sym : forall u v, inner u v = inner v u;
  inner_pos : forall u A, 0 <= on A (inner u u);
  inner_definite : forall u v,
    (forall A, on A (inner (vadd u (vscal (-1) v)) (vadd u (vscal (-1) v))) = 0) -> u = v;
  (* conditional expectation *)
  E_lin : forall j X Y c A, on A (E j (madd X (mscal c Y))) = on A (E j X) + c * on A (E j Y);
  E_mono : forall j X Y, (forall A, on A X <= on A Y) -> (forall A, on A (E j X) <= on A (E j Y));
  E_one : forall j, E j one = one;
  E_all : forall X, E All X = X;
  E_tower : forall i j X, fle i j = true -> E i (E j X) = E i X;
  (* measurability *)
  known_add : forall j u v, known j u -> known j v -> known j (vadd u v);
  known_scal : forall j c u, known j u -> known j (vscal c u);
  known_later : forall i j u, fle i j = true -> known i u -> known j u;
  E_known : forall j u v, known j u -> known j v -> E j (inner u v) = inner u v
}.

(** ** Notation of the paper *)
Declare Scope m_scope. Delimit Scope m_scope with m.
Declare Scope v_scope. Delimit Scope v_scope with v.
Bind Scope m_scope with M. Bind Scope v_scope with V.
Notation "X + Y" := (madd X Y) : m_scope.
Notation "X - Y" := (madd X (mscal (-1) Y)) : m_scope.
Notation "c * X" := (mscal c%R X) : m_scope.
Notation "# c" := (mscal c%R one) (at level 9) : m_scope.
Notation "u + v" := (vadd u v) : v_scope.
Notation "u - v" := (vadd u (vscal (-1) v)) : v_scope.
Notation "c * u" := (vscal c%R u) : v_scope.
Notation "<< u , v >>" := (inner u%v v%v) (at level 0) : m_scope.
Notation "|| u ||^2" := (inner u%v u%v) (at level 0, u at level 99) : m_scope.
Definition mle `{Setting} (X Y : M) := forall A, on A X <= on A Y.
Definition meq `{Setting} (X Y : M) := forall A, on A X = on A Y.
Notation "X <= Y" := (mle X%m Y%m) : m_scope.
Notation "X == Y" := (meq X%m Y%m) (at level 70) : m_scope.
Notation "'E[' X | j ]" := (E j X%m) (at level 0, X at level 99) : m_scope.
Notation "'E[' X ]" := (E Trivial X%m) (at level 0, X at level 99) : m_scope.
Definition zero `{Setting} : M := mscal 0 one.

(** [m] is the conditional mean of [g] given the field [j]: E[g | F_j] = m. *)
Definition mean_given `{Setting} (j : fld) (g m : V) :=
  known j m /\ forall v, known j v -> E j (inner g v) = inner m v.
