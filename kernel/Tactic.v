(** The tactic [certificate]: it reads the goal and the hypotheses, writes them in the syntax of [Transfer.v], and applies the
    theorem of [Certify.v].  What is left to the user is one identity between real numbers.

    [certificate {{ (m, H) ; ... }} {{ (m, H) ; ... }} {{ (mean, v) ; ... }}]
    - first list: a multiplier [m] and a proof [H] of an inequality [X <= Y]; that [0 <= m] is proved by [nn], or is a hypothesis;
    - second list: a multiplier of any sign and a proof of an equality [X == Y];
    - third list: a proof of [mean_given j g m] and a vector [v] known at [j]; it stands for the inner product << g - m , v >>,
      whose expectation vanishes.
    The identity is: right - left of the goal = sum of m (Y - X), plus the inner products. *)
Require Export HeavyBall.Certify.
Require Import Lia.

Notation "{{ }}" := tt.
Notation "{{ x ; .. ; y }}" := (pair x .. (pair y tt) ..).

(** ** Fields and measurability *)
Ltac earlier := solve [ reflexivity | unfold before; cbn [fle]; first [ reflexivity | rewrite Z.leb_le; lia ] ].
Ltac know := repeat first
  [ assumption | apply known_add | apply known_scal
  | match goal with H : known ?i ?u |- known ?j ?u => refine (known_later i j u _ H); earlier end ].

(** ** Letters and values *)
Ltac insert x l :=
  let rec go k := lazymatch k with nil => constr:(cons x l) | cons x _ => l | cons _ ?k => go k end in go l.
Ltac position x l :=
  lazymatch l with cons x _ => constr:(O) | cons _ ?l => let n := position x l in constr:(S n) end.
Ltac v_letters u l :=
  lazymatch u with
  | vadd ?a ?b => let l := v_letters a l in v_letters b l
  | vscal _ ?a => v_letters a l
  | ?a => insert a l
  end.
Ltac v_deep u l :=
  lazymatch u with
  | vadd ?a ?b => let a := v_deep a l in let b := v_deep b l in constr:(VA a b)
  | vscal ?c ?a => let a := v_deep a l in constr:(VM c a)
  | ?a => let n := position a l in constr:(VL n)
  end.
Ltac s_letters s l :=
  lazymatch s with
  | inner ?a ?b => let l := v_letters a l in v_letters b l
  | madd ?a ?b => let l := s_letters a l in s_letters b l
  | mscal _ ?a => s_letters a l
  | E _ ?a => s_letters a l
  | _ => l
  end.
Ltac s_atoms s k :=
  lazymatch s with
  | inner _ _ => k
  | madd ?a ?b => let k := s_atoms a k in s_atoms b k
  | mscal _ one => k
  | mscal _ ?a => s_atoms a k
  | E _ ?a => s_atoms a k
  | ?a => insert a k
  end.
Ltac s_deep s l k :=
  lazymatch s with
  | inner ?a ?b => let a := v_deep a l in let b := v_deep b l in constr:(SI a b)
  | madd ?a ?b => let a := s_deep a l k in let b := s_deep b l k in constr:(SA a b)
  | mscal ?c one => constr:(SC c)
  | mscal ?c ?a => let a := s_deep a l k in constr:(SM c a)
  | E ?j ?a => let a := s_deep a l k in constr:(SE j a)
  | ?a => let n := position a k in constr:(SV n)
  end.

(** ** Hypotheses: [said H] is the expression that [H] calls non-negative (or zero), [proof_of H] proves it *)
Ltac plain X := let X := eval cbv zeta in X in eval unfold zero in X.
Ltac said H :=
  let T := type of H in let T := eval cbv zeta in T in
  lazymatch T with
  | mle zero ?X => plain X
  | meq zero ?X => plain X
  | mle ?X ?Y => plain (madd Y (mscal (-1) X))
  | meq ?X ?Y => plain (madd Y (mscal (-1) X))
  end.
Ltac proof_of H :=
  let T := type of H in let T := eval cbv zeta in T in
  lazymatch T with
  | mle zero _ => H
  | meq zero _ => H
  | mle ?X ?Y => constr:(gap_nn X Y H)
  | meq ?X ?Y => constr:(gap_zero X Y H)
  end.
Ltac ts_letters ts l :=
  lazymatch ts with tt => l | ((_, ?H), ?r) => let X := said H in let l := s_letters X l in ts_letters r l end.
Ltac ts_atoms ts k :=
  lazymatch ts with tt => k | ((_, ?H), ?r) => let X := said H in let k := s_atoms X k in ts_atoms r k end.
Ltac ts_deep ts l k :=
  lazymatch ts with
  | tt => constr:(@nil (R * sx))
  | ((?m, ?H), ?r) => let X := said H in let h := s_deep X l k in let t := ts_deep r l k in constr:(cons (m, h) t)
  end.
Ltac ts_holds ts :=
  lazymatch ts with
  | tt => constr:(I)
  | ((?m, ?H), ?r) =>
      let s := constr:(ltac:(first [ nn | fail 1 "no sign for the multiplier" m ]) : 0 <= m) in
      let p := proof_of H in let t := ts_holds r in constr:(conj (conj s p) t)
  end.
Ltac es_holds es :=
  lazymatch es with tt => constr:(I) | ((_, ?H), ?r) => let p := proof_of H in let t := es_holds r in constr:(conj p t) end.

(** ** Fresh noise *)
Ltac fresh_noise H := lazymatch type of H with mean_given _ ?g ?m => constr:(vadd g (vscal (-1) m)) end.
Ltac zs_letters zs l :=
  lazymatch zs with
  | tt => l
  | ((?H, ?v), ?r) => let u := fresh_noise H in let l := v_letters u l in let l := v_letters v l in zs_letters r l
  end.
Ltac zs_deep zs l :=
  lazymatch zs with
  | tt => constr:(@nil (vx * vx))
  | ((?H, ?v), ?r) =>
      let u := fresh_noise H in let a := v_deep u l in let b := v_deep v l in let t := zs_deep r l in constr:(cons (a, b) t)
  end.
Ltac zs_holds g zs :=
  lazymatch zs with
  | tt => constr:(I)
  | ((?H, ?v), ?r) =>
      lazymatch type of H with
      | mean_given ?j ?u ?m =>
          let Ef := constr:(ltac:(earlier) : fle g j = true) in
          let K := constr:(ltac:(first [ solve [know] | fail 1 "not known at" j ":" v ]) : known j v) in
          let t := zs_holds g r in constr:(conj (fun A => noise_vanishes g j u m v A Ef H K) t)
      end
  end.

Ltac finer_fields := cbn [finer rest gap total noise fst snd]; repeat split; try exact I; earlier.

Ltac certificate ts es zs :=
  let T1 := fresh in let T2 := fresh in let T3 := fresh in
  pose (T1 := ts); pose (T2 := es); pose (T3 := zs);
  repeat match goal with x := _ : R |- _ => subst x | x := _ : V |- _ => subst x end;
  let ts := eval cbv delta [T1] in T1 in let es := eval cbv delta [T2] in T2 in let zs := eval cbv delta [T3] in T3 in
  clear T1 T2 T3;
  let P := lazymatch goal with |- @mle ?P _ _ => P | |- @meq ?P _ _ => P end in
  let start := constr:(@nil (@V P)) in let values := constr:(@nil (@M P)) in
  let go L0 G0 :=
    let L := plain L0 in let G := plain G0 in
    let l := s_letters L start in let l := s_letters G l in let l := ts_letters ts l in let l := ts_letters es l in let l := zs_letters zs l in
    let k := s_atoms L values in let k := s_atoms G k in let k := ts_atoms ts k in let k := ts_atoms es k in
    let dl := s_deep L l k in let dg := s_deep G l k in
    let dt := ts_deep ts l k in let de := ts_deep es l k in let dz := zs_deep zs l in
    let ht := ts_holds ts in let he := es_holds es in
    let v0 := lazymatch l with cons ?v _ => v | nil => match goal with v : V |- _ => v end end in
    lazymatch goal with
    | |- mle (E ?g _) (E ?g _) =>
        let hz := zs_holds g zs in refine (certify_le l k v0 g dl dg dt de dz _ _ ht he hz)
    | |- mle _ _ =>
        let hz := zs_holds All zs in refine (certify_path_le l k v0 dl dg dt de dz _ _ ht he hz)
    | |- meq (E ?g _) (E ?g _) =>
        let hz := zs_holds g zs in refine (certify_eq l k v0 g dl dg de dz _ _ he hz)
    | |- meq _ _ =>
        let hz := zs_holds All zs in refine (certify_path_eq l k v0 dl dg de dz _ _ he hz)
    end in
  lazymatch goal with
  | |- mle (E ?g ?L) (E ?g ?G) => go L G
  | |- mle ?L ?G => go L G
  | |- meq (E ?g ?L) (E ?g ?G) => go L G
  | |- meq ?L ?G => go L G
  end;
  [ finer_fields | let x := fresh in let y := fresh in intros x y; cbv [sr vr rest gap total noise] ].

(** [balance ts es zs]: a certificate whose identity is left to [field]. *)
Ltac balance ts es zs := certificate ts es zs; field; nz.

(** [same_vector]: two vectors are equal because their difference has length 0. *)
Lemma vector_equal {P : Setting} u v : (|| u - v ||^2 == zero)%m -> u = v.
Proof. intros H. apply inner_definite. intros A. rewrite <- (on_zero A). exact (H A). Qed.
Ltac same_vector := apply vector_equal; certificate {{ }} {{ }} {{ }}.
